#pragma cudacpu_without npp NPP
#pragma cudacpu_without Npp NPP
