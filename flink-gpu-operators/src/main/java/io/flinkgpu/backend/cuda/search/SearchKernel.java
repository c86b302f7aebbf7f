package io.flinkgpu.backend.cuda.search;

/** What a search launches; the emulation knows the ordinals. */
enum SearchKernel {
    SCAN,
    SCAN_16,
    SCAN_8,
    HASH,
    WIDE,
    INVERTED,
    INDEX,
    ARRANGE,
    NEED,
    SELECT,
    DIE
}
