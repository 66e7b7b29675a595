// Libs: -lcublas -lcublasLt -lcusolver -lcusparse -lcurand -lcufft
// Conforms to: what programs name of the libraries without computing with it: cuBLASLt's handle, the
// settings of emulation, types and numbers of a current toolkit.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <string.h>
#include "expect.cuh"

static void settings_of_cublas()
{
    cublasHandle_t handle;
    check("cublasCreate", cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    cublasEmulationStrategy_t strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
    check("emulation strategy",
          cublasSetEmulationStrategy(handle, CUBLAS_EMULATION_STRATEGY_PERFORMANT) ==
                  CUBLAS_STATUS_SUCCESS &&
              cublasGetEmulationStrategy(handle, &strategy) == CUBLAS_STATUS_SUCCESS &&
              strategy == CUBLAS_EMULATION_STRATEGY_PERFORMANT);
    cudaEmulationStrategy cuda_strategy;
    check("by CUDA's name",
          cublasSetEmulationStrategy(handle, CUDA_EMULATION_STRATEGY_EAGER) ==
                  CUBLAS_STATUS_SUCCESS &&
              cublasGetEmulationStrategy(handle, &cuda_strategy) == CUBLAS_STATUS_SUCCESS &&
              cuda_strategy == CUDA_EMULATION_STRATEGY_EAGER);
    cudaEmulationMantissaControl control;
    check("mantissa control",
          cublasSetFixedPointEmulationMantissaControl(
              handle, CUDA_EMULATION_MANTISSA_CONTROL_FIXED) == CUBLAS_STATUS_SUCCESS &&
              cublasGetFixedPointEmulationMantissaControl(handle, &control) ==
                  CUBLAS_STATUS_SUCCESS &&
              control == CUDA_EMULATION_MANTISSA_CONTROL_FIXED);
    cudaEmulationSpecialValuesSupport special;
    check("special values",
          cublasSetEmulationSpecialValuesSupport(
              handle, CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE) == CUBLAS_STATUS_SUCCESS &&
              cublasGetEmulationSpecialValuesSupport(handle, &special) == CUBLAS_STATUS_SUCCESS &&
              special == CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_NONE);
    int bits = 0;
    check("mantissa bits",
          cublasSetFixedPointEmulationMaxMantissaBitCount(handle, 40) == CUBLAS_STATUS_SUCCESS &&
              cublasGetFixedPointEmulationMaxMantissaBitCount(handle, &bits) ==
                  CUBLAS_STATUS_SUCCESS &&
              bits == 40);
    check("cublasDestroy", cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
}

static void handle_of_cublas_lt()
{
    cublasLtHandle_t first, second;
    check("cublasLtCreate", cublasLtCreate(&first) == CUBLAS_STATUS_SUCCESS &&
                                cublasLtCreate(&second) == CUBLAS_STATUS_SUCCESS);
    check("cublasLtDestroy", cublasLtDestroy(first) == CUBLAS_STATUS_SUCCESS &&
                                 cublasLtDestroy(second) == CUBLAS_STATUS_SUCCESS);
    check("cublasLtGetVersion", cublasLtGetVersion() >= 120000);
    check("its names",
          strcmp(cublasLtGetStatusName(CUBLAS_STATUS_SUCCESS), "CUBLAS_STATUS_SUCCESS") == 0);
}

static void settings_of_cusolver()
{
    cusolverDnHandle_t handle;
    cusolverMathMode_t mode = CUSOLVER_DEFAULT_MATH;
    check("cusolverDnCreate", cusolverDnCreate(&handle) == CUSOLVER_STATUS_SUCCESS);
    check("math mode", cusolverDnSetMathMode(handle, CUSOLVER_FP32_EMULATED_BF16X9_MATH) ==
                               CUSOLVER_STATUS_SUCCESS &&
                           cusolverDnGetMathMode(handle, &mode) == CUSOLVER_STATUS_SUCCESS &&
                           mode == CUSOLVER_FP32_EMULATED_BF16X9_MATH);
    check("cusolverDnDestroy", cusolverDnDestroy(handle) == CUSOLVER_STATUS_SUCCESS);
}

// A program's own tables of names, as samples have them.
static const struct
{
    int value;
    const char *name;
} NAMES[] = {{CUBLAS_COMPUTE_32F_FAST_TF32, "CUBLAS_COMPUTE_32F_FAST_TF32"},
             {CUBLAS_COMPUTE_32F_EMULATED_16BFX9, "CUBLAS_COMPUTE_32F_EMULATED_16BFX9"},
             {CUBLAS_GEMM_DEFAULT_TENSOR_OP, "CUBLAS_GEMM_DEFAULT_TENSOR_OP"},
             {CUBLAS_PEDANTIC_MATH, "CUBLAS_PEDANTIC_MATH"},
             {CUSOLVER_R_32F, "CUSOLVER_R_32F"},
             {CUSOLVER_C_TF32, "CUSOLVER_C_TF32"},
             {CUSOLVER_IRS_REFINE_CLASSICAL, "CUSOLVER_IRS_REFINE_CLASSICAL"},
             {CUSOLVER_PREC_SHT, "CUSOLVER_PREC_SHT"},
             {CUSPARSE_SPMM_OP_ALG_DEFAULT, "CUSPARSE_SPMM_OP_ALG_DEFAULT"},
             {CUSPARSE_SPSM_UPDATE_DIAGONAL, "CUSPARSE_SPSM_UPDATE_DIAGONAL"},
             {CUFFT_Z2D, "CUFFT_Z2D"},
             {CURAND_RNG_QUASI_SCRAMBLED_SOBOL64, "CURAND_RNG_QUASI_SCRAMBLED_SOBOL64"},
             {CUDA_R_8F_E4M3, "CUDA_R_8F_E4M3"}};

// Types that are named and not used.
struct Options
{
    cusolverPrecType_t main_type, lowest_type;
    cusolverIRSRefinement_t refinement;
    cusolverDnIRSParams_t params;
    cusolverDnIRSInfos_t infos;
    cusparseSpMMOpPlan_t plan;
    cusparseSpSMUpdate_t update;
    curandDistribution_t distribution;
    cudaDataType_t type;
    libraryPropertyType_t property;
};

int main()
{
    settings_of_cublas();
    handle_of_cublas_lt();
    settings_of_cusolver();
    const Options options = {CUSOLVER_R_64F, CUSOLVER_R_16F, CUSOLVER_IRS_REFINE_GMRES,    NULL,
                             NULL,           NULL,           CUSPARSE_SPSM_UPDATE_GENERAL, NULL,
                             CUDA_C_64F,     MAJOR_VERSION};
    printf("options: %d %d %d %d %d\n", options.main_type, options.lowest_type, options.refinement,
           options.type, options.property);
    for (const auto &one : NAMES)
    {
        printf("%s = %d\n", one.name, one.value);
    }
    return num_wrong;
}
