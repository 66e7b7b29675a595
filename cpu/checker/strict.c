// With `cpucc --check --strict` the linker takes this file, and notes are errors.
#include "finding.h"

const bool cudacpu_check_strict = true;
