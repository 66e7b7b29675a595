// The work of a node, from the parameters of a call.
#ifndef CUDACPU_API_GRAPH_NODE_H
#define CUDACPU_API_GRAPH_NODE_H
#include "graph.h"

cudaError_t api_copy_work(const cudaMemcpy3DParms *parameters, Work *work);
cudaError_t api_set_work(const cudaMemsetParams *parameters, Work *work);
cudaError_t api_host_work(const cudaHostNodeParams *parameters, Work *work);
cudaError_t api_child_work(cudaGraph_t child, Work *work);
cudaError_t api_event_work(cudaGraphNodeType type, cudaEvent_t event, Work *work);
cudaError_t api_work_of(cudaGraphNodeParams *parameters, Work *work);

#endif
