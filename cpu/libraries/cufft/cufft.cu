// cuFFT's host API over transform.cu. Arguments are checked here, before any work.
#include <cufft.h>
#include <memory>
#include <mutex>
#include <new>
#include <vector>
#include "transform.cuh"

using namespace cufft_cpu;

namespace
{

struct Plan
{
    std::mutex mutex; // two threads may share a plan
    bool is_made = false;
    bool allocates = true;
    Request request = {};
    Work work;
    void *own_area = NULL, *area = NULL;
    cudaStream_t stream = 0;

    ~Plan()
    {
        cudaFree(own_area);
        free_tables(&work);
    }
};

// A handle is a place in this list. A place is not used again, so an old handle is known to be old.
// It outlives main: a plan that is left over is not destroyed after the runtime's end.
typedef std::shared_ptr<Plan> PlanPointer;
std::mutex g_mutex;
std::vector<PlanPointer> &g_plans = *new std::vector<PlanPointer>(1);

PlanPointer plan_of(cufftHandle handle)
{
    const std::lock_guard<std::mutex> lock(g_mutex);
    return handle > 0 && (size_t)handle < g_plans.size() ? g_plans[handle] : NULL;
}

bool is_type(cufftType type)
{
    switch (type)
    {
    case CUFFT_C2C:
    case CUFFT_R2C:
    case CUFFT_C2R:
    case CUFFT_Z2Z:
    case CUFFT_D2Z:
    case CUFFT_Z2D:
        return true;
    default:
        return false;
    }
}

// int or long long: what the two kinds of functions have.
template <class Int>
cufftResult make_request(Request *request, int rank, const Int *n, const Int *in_size,
                         Int in_stride, Int in_distance, const Int *out_size, Int out_stride,
                         Int out_distance, cufftType type, Int batch)
{
    *request = {};
    if (rank < 1 || rank > MAX_RANK || n == NULL)
    {
        return CUFFT_INVALID_VALUE;
    }
    if (!is_type(type))
    {
        return CUFFT_INVALID_TYPE;
    }
    request->rank = rank;
    request->type = type;
    request->batch = batch;
    request->has_layout = in_size != NULL && out_size != NULL;
    request->in_stride = in_stride;
    request->in_distance = in_distance;
    request->out_stride = out_stride;
    request->out_distance = out_distance;
    bool right = batch > 0;
    for (int d = 0; d < rank; ++d)
    {
        request->n[d] = n[d];
        right = right && n[d] > 0;
        if (request->has_layout)
        {
            request->in_size[d] = in_size[d];
            request->out_size[d] = out_size[d];
            right = right && in_size[d] > 0 && out_size[d] > 0;
        }
    }
    if (right && request->has_layout)
    {
        right = in_stride > 0 && out_stride > 0 &&
                (batch == 1 || (in_distance > 0 && out_distance > 0));
    }
    return right ? CUFFT_SUCCESS : CUFFT_INVALID_SIZE;
}

cufftResult size_of(const Request *request, size_t *bytes)
{
    if (bytes == NULL)
    {
        return CUFFT_INVALID_VALUE;
    }
    Work work;
    const cufftResult result = make_work(request, true, &work);
    *bytes = work.bytes;
    return result;
}

cufftResult make_plan(cufftHandle handle, cufftResult status, const Request *request, size_t *bytes)
{
    if (bytes == NULL)
    {
        return CUFFT_INVALID_VALUE;
    }
    const PlanPointer plan = plan_of(handle);
    if (plan == NULL)
    {
        return CUFFT_INVALID_PLAN;
    }
    const std::lock_guard<std::mutex> lock(plan->mutex);
    if (plan->is_made)
    {
        return CUFFT_INVALID_PLAN;
    }
    if (status != CUFFT_SUCCESS)
    {
        return status;
    }
    plan->request = *request;
    cufftResult result;
    try
    {
        result = make_work(request, false, &plan->work);
    }
    catch (const std::bad_alloc &)
    {
        result = CUFFT_ALLOC_FAILED;
    }
    if (result == CUFFT_SUCCESS && plan->allocates && plan->area == NULL)
    {
        if (cudaMalloc(&plan->own_area, plan->work.bytes) != cudaSuccess)
        {
            cudaGetLastError();
            result = CUFFT_ALLOC_FAILED;
        }
        plan->area = plan->own_area;
    }
    if (result != CUFFT_SUCCESS)
    {
        free_tables(&plan->work);
        plan->work = Work();
        return result;
    }
    plan->is_made = true;
    *bytes = plan->work.bytes;
    return CUFFT_SUCCESS;
}

// Create and make in one call.
cufftResult create_plan(cufftHandle *handle, cufftResult status, const Request *request)
{
    cufftHandle created;
    size_t bytes;
    if (handle == NULL)
    {
        return CUFFT_INVALID_VALUE;
    }
    cufftResult result = cufftCreate(&created);
    if (result != CUFFT_SUCCESS)
    {
        return result;
    }
    result = make_plan(created, status, request, &bytes);
    if (result != CUFFT_SUCCESS)
    {
        cufftDestroy(created);
        return result;
    }
    *handle = created;
    return CUFFT_SUCCESS;
}

cufftResult execute_plan(cufftHandle handle, cufftType type, void *in, void *out, int direction)
{
    const PlanPointer plan = plan_of(handle);
    if (plan == NULL)
    {
        return CUFFT_INVALID_PLAN;
    }
    const std::lock_guard<std::mutex> lock(plan->mutex);
    if (!plan->is_made)
    {
        return CUFFT_INVALID_PLAN;
    }
    if (plan->request.type != type)
    {
        return CUFFT_INVALID_TYPE;
    }
    if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    {
        return CUFFT_INVALID_VALUE;
    }
    if (plan->area == NULL)
    {
        return CUFFT_NO_WORKSPACE;
    }
    const bool is_complex = type == CUFFT_C2C || type == CUFFT_Z2Z;
    const Way way = (is_complex ? direction == CUFFT_INVERSE : in == out) ? OTHER : USUAL;
    const cudaError_t error = execute(&plan->work, way, in, out, plan->area, plan->stream);
    return error == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

// One to three lengths, for the functions that take them one by one.
cufftResult simple_request(Request *request, int rank, int nx, int ny, int nz, cufftType type,
                           int batch)
{
    const int n[] = {nx, ny, nz};
    return make_request<int>(request, rank, n, NULL, 1, 0, NULL, 1, 0, type, batch);
}

} // namespace

extern "C"
{

    cufftResult cufftCreate(cufftHandle *handle)
    {
        int device;
        if (handle == NULL)
        {
            return CUFFT_INVALID_VALUE;
        }
        if (cudaGetDevice(&device) != cudaSuccess)
        {
            cudaGetLastError();
            return CUFFT_INTERNAL_ERROR;
        }
        const std::lock_guard<std::mutex> lock(g_mutex);
        g_plans.push_back(std::make_shared<Plan>());
        *handle = (cufftHandle)g_plans.size() - 1;
        return CUFFT_SUCCESS;
    }

    cufftResult cufftDestroy(cufftHandle handle)
    {
        if (handle == CUFFT_PLAN_NULL)
        {
            return CUFFT_SUCCESS;
        }
        const PlanPointer plan = plan_of(handle); // freed after the lock
        const std::lock_guard<std::mutex> lock(g_mutex);
        if (plan == NULL || g_plans[handle] == NULL)
        {
            return CUFFT_INVALID_PLAN;
        }
        g_plans[handle] = NULL;
        return CUFFT_SUCCESS;
    }

    // ---- Plans ----

    cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
    {
        Request request;
        const cufftResult status = simple_request(&request, 1, nx, 1, 1, type, batch);
        return create_plan(plan, status, &request);
    }

    cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
    {
        Request request;
        const cufftResult status = simple_request(&request, 2, nx, ny, 1, type, 1);
        return create_plan(plan, status, &request);
    }

    cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
    {
        Request request;
        const cufftResult status = simple_request(&request, 3, nx, ny, nz, type, 1);
        return create_plan(plan, status, &request);
    }

    cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch)
    {
        Request request;
        const cufftResult status = make_request(&request, rank, n, inembed, istride, idist, onembed,
                                                ostride, odist, type, batch);
        return create_plan(plan, status, &request);
    }

    cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                                size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 1, nx, 1, 1, type, batch);
        return make_plan(plan, status, &request, workSize);
    }

    cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 2, nx, ny, 1, type, 1);
        return make_plan(plan, status, &request, workSize);
    }

    cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                                size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 3, nx, ny, nz, type, 1);
        return make_plan(plan, status, &request, workSize);
    }

    cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                                  int idist, int *onembed, int ostride, int odist, cufftType type,
                                  int batch, size_t *workSize)
    {
        Request request;
        const cufftResult status = make_request(&request, rank, n, inembed, istride, idist, onembed,
                                                ostride, odist, type, batch);
        return make_plan(plan, status, &request, workSize);
    }

    cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                    long long istride, long long idist, long long *onembed,
                                    long long ostride, long long odist, cufftType type,
                                    long long batch, size_t *workSize)
    {
        Request request;
        const cufftResult status = make_request(&request, rank, n, inembed, istride, idist, onembed,
                                                ostride, odist, type, batch);
        return make_plan(plan, status, &request, workSize);
    }

    // ---- Sizes ----

    cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 1, nx, 1, 1, type, batch);
        return status != CUFFT_SUCCESS ? status : size_of(&request, workSize);
    }

    cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 2, nx, ny, 1, type, 1);
        return status != CUFFT_SUCCESS ? status : size_of(&request, workSize);
    }

    cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *workSize)
    {
        Request request;
        const cufftResult status = simple_request(&request, 3, nx, ny, nz, type, 1);
        return status != CUFFT_SUCCESS ? status : size_of(&request, workSize);
    }

    cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist,
                                  int *onembed, int ostride, int odist, cufftType type, int batch,
                                  size_t *workSize)
    {
        Request request;
        const cufftResult status = make_request(&request, rank, n, inembed, istride, idist, onembed,
                                                ostride, odist, type, batch);
        return status != CUFFT_SUCCESS ? status : size_of(&request, workSize);
    }

    cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch,
                               size_t *workSize)
    {
        return plan_of(plan) == NULL ? CUFFT_INVALID_PLAN
                                     : cufftEstimate1d(nx, type, batch, workSize);
    }

    cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *workSize)
    {
        return plan_of(plan) == NULL ? CUFFT_INVALID_PLAN : cufftEstimate2d(nx, ny, type, workSize);
    }

    cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                               size_t *workSize)
    {
        return plan_of(plan) == NULL ? CUFFT_INVALID_PLAN
                                     : cufftEstimate3d(nx, ny, nz, type, workSize);
    }

    cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                                 int idist, int *onembed, int ostride, int odist, cufftType type,
                                 int batch, size_t *workSize)
    {
        return plan_of(plan) == NULL ? CUFFT_INVALID_PLAN
                                     : cufftEstimateMany(rank, n, inembed, istride, idist, onembed,
                                                         ostride, odist, type, batch, workSize);
    }

    cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                   long long istride, long long idist, long long *onembed,
                                   long long ostride, long long odist, cufftType type,
                                   long long batch, size_t *workSize)
    {
        if (plan_of(plan) == NULL)
        {
            return CUFFT_INVALID_PLAN;
        }
        Request request;
        const cufftResult status = make_request(&request, rank, n, inembed, istride, idist, onembed,
                                                ostride, odist, type, batch);
        return status != CUFFT_SUCCESS ? status : size_of(&request, workSize);
    }

    cufftResult cufftGetSize(cufftHandle handle, size_t *workSize)
    {
        if (workSize == NULL)
        {
            return CUFFT_INVALID_VALUE;
        }
        const PlanPointer plan = plan_of(handle);
        if (plan == NULL || !plan->is_made)
        {
            return CUFFT_INVALID_PLAN;
        }
        *workSize = plan->work.bytes;
        return CUFFT_SUCCESS;
    }

    // ---- What a plan uses ----

    // Only before the plan is made: then no work area is allocated.
    cufftResult cufftSetAutoAllocation(cufftHandle handle, int autoAllocate)
    {
        const PlanPointer plan = plan_of(handle);
        if (plan == NULL)
        {
            return CUFFT_INVALID_PLAN;
        }
        const std::lock_guard<std::mutex> lock(plan->mutex);
        plan->allocates = autoAllocate != 0;
        return CUFFT_SUCCESS;
    }

    cufftResult cufftSetWorkArea(cufftHandle handle, void *workArea)
    {
        const PlanPointer plan = plan_of(handle);
        if (plan == NULL)
        {
            return CUFFT_INVALID_PLAN;
        }
        const std::lock_guard<std::mutex> lock(plan->mutex);
        cudaFree(plan->own_area); // waits for the work that uses it
        plan->own_area = NULL;
        plan->area = workArea;
        return CUFFT_SUCCESS;
    }

    cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
    {
        const PlanPointer plan = plan_of(handle);
        if (plan == NULL)
        {
            return CUFFT_INVALID_PLAN;
        }
        const std::lock_guard<std::mutex> lock(plan->mutex);
        plan->stream = stream;
        return CUFFT_SUCCESS;
    }

    // ---- Transforms ----

    cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata,
                             int direction)
    {
        return execute_plan(plan, CUFFT_C2C, idata, odata, direction);
    }

    cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata)
    {
        return execute_plan(plan, CUFFT_R2C, idata, odata, CUFFT_FORWARD);
    }

    cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata)
    {
        return execute_plan(plan, CUFFT_C2R, idata, odata, CUFFT_INVERSE);
    }

    cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata,
                             int direction)
    {
        return execute_plan(plan, CUFFT_Z2Z, idata, odata, direction);
    }

    cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata)
    {
        return execute_plan(plan, CUFFT_D2Z, idata, odata, CUFFT_FORWARD);
    }

    cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata)
    {
        return execute_plan(plan, CUFFT_Z2D, idata, odata, CUFFT_INVERSE);
    }

    // ---- Versions ----

    cufftResult cufftGetVersion(int *version)
    {
        if (version != NULL)
        {
            *version = CUFFT_VERSION;
        }
        return CUFFT_SUCCESS;
    }

    cufftResult cufftGetProperty(libraryPropertyType type, int *value)
    {
        if (value == NULL)
        {
            return CUFFT_INVALID_VALUE;
        }
        switch (type)
        {
        case MAJOR_VERSION:
            *value = CUFFT_VER_MAJOR;
            return CUFFT_SUCCESS;
        case MINOR_VERSION:
            *value = CUFFT_VER_MINOR;
            return CUFFT_SUCCESS;
        case PATCH_LEVEL:
            *value = CUFFT_VER_PATCH;
            return CUFFT_SUCCESS;
        default:
            return CUFFT_INVALID_TYPE;
        }
    }

} // extern "C"
