// The parts of CUB that are not here. Their headers may be included; a use is refused by its name.
#ifndef CUDACPU_CUB_MISSING_CUH
#define CUDACPU_CUB_MISSING_CUH
#pragma cudacpu_without cub::BlockAdjacentDifference this part of CUB
#pragma cudacpu_without cub::BlockDiscontinuity this part of CUB
#pragma cudacpu_without cub::BlockExchange this part of CUB
#pragma cudacpu_without cub::BlockHistogram this part of CUB
#pragma cudacpu_without cub::BlockMergeSort this part of CUB
#pragma cudacpu_without cub::BlockRadixRank this part of CUB
#pragma cudacpu_without cub::BlockRunLengthDecode this part of CUB
#pragma cudacpu_without cub::BlockShuffle this part of CUB
#pragma cudacpu_without cub::DeviceAdjacentDifference this part of CUB
#pragma cudacpu_without cub::DeviceCopy this part of CUB
#pragma cudacpu_without cub::DeviceFor this part of CUB
#pragma cudacpu_without cub::DeviceHistogram this part of CUB
#pragma cudacpu_without cub::DeviceMemcpy this part of CUB
#pragma cudacpu_without cub::DeviceMerge this part of CUB
#pragma cudacpu_without cub::DeviceMergeSort this part of CUB
#pragma cudacpu_without cub::DevicePartition this part of CUB
#pragma cudacpu_without cub::DeviceRadixSort this part of CUB
#pragma cudacpu_without cub::DeviceRunLengthEncode this part of CUB
#pragma cudacpu_without cub::DeviceSegmentedRadixSort this part of CUB
#pragma cudacpu_without cub::DeviceSegmentedReduce this part of CUB
#pragma cudacpu_without cub::DeviceSegmentedSort this part of CUB
#pragma cudacpu_without cub::DeviceSelect this part of CUB
#pragma cudacpu_without cub::DeviceTransform this part of CUB
#pragma cudacpu_without cub::WarpExchange this part of CUB
#pragma cudacpu_without cub::WarpLoad this part of CUB
#pragma cudacpu_without cub::WarpMergeSort this part of CUB
#pragma cudacpu_without cub::WarpStore this part of CUB
#pragma cudacpu_without cub::BlockRadixRankMatch this part of CUB
#endif
