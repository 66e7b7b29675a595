#pragma cudacpu_without cudnn cuDNN
