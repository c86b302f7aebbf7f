package io.flinkgpu.backend.cuda.search;

/** What a search launches; the emulation knows the ordinals. */
enum SearchKernel {
    SCAN,
    SCAN_16,
    SCAN_8,
    HASH,
    WIDE,
    INVERTED,
    INDEX_COUNT,
    INDEX_SUM,
    INDEX_PUT,
    ARRANGE,
    NEED,
    SELECT,
    DIE
}
