package io.flinkgpu.backend.cuda.lookup;

/** What a lookup launches; the emulation knows the ordinals. */
enum LookupKernel {
    BAGS,
    FIND,
    ORDER,
    GATHER,
    WRITE,
    DIRECT,
    PUT,
    COUNT,
    CHOOSE
}
