// check_library: the report of CHECK_CUBLAS and its kin, for a library of our own

#include <string.h>
#include "../../common/check_library.cuh"
#include "../../common/compare.cuh"
#include "child.cuh"

enum Status
{
    OWN_SUCCESS = 0,
    OWN_FAILURE = 13
};

static const char *own_status_name(Status status)
{
    switch (status)
    {
        STATUS_NAME(OWN_FAILURE)
    default:
        return "unknown";
    }
}

#define CHECK_OWN(call) CHECK_LIBRARY("own", call, #call, OWN_SUCCESS, own_status_name)
#define own_call own_call_v2 // as cublasCreate is cublasCreate_v2

static Status own_call_v2(int code) { return (Status)code; }

int main(void)
{
    const Child fine = run_child(
        []
        {
            if (true)
                CHECK_OWN(own_call(0));
            else
                CHECK_OWN(own_call(1));
            return 0;
        });
    check_true("success is silent", fine.status == 0 && fine.output[0] == '\0');
    const Child failed = run_child(
        []
        {
            CHECK_OWN(own_call(13));
            return 0;
        });
    check_true("exit 3", failed.status == 3);
    check_true("library", strstr(failed.output, "own error:\n") != NULL);
    check_true("file", strstr(failed.output, "check_library.cu\n") != NULL);
    check_true("call as written", strstr(failed.output, "Call:       own_call(13)\n") != NULL);
    check_true("code", strstr(failed.output, "Error code: 13\n") != NULL);
    check_true("name", strstr(failed.output, "Error name: OWN_FAILURE\n") != NULL);
    return verdict();
}
