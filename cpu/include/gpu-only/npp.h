#pragma cudacpu_without nppi NPP
