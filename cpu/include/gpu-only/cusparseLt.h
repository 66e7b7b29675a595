#pragma cudacpu_without cusparseLt cuSPARSELt
