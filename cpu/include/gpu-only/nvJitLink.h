#pragma cudacpu_without nvJitLink nvJitLink
