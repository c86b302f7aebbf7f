package io.flinkgpu.backend.cuda.lookup;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: LookupPace, Admission.
 */
class LookupPaceTest {

    /** A table of 300 million vectors whose cache is 9/16 of what there is of a GPU with 24 GB: all would be 2.8 GB. */
    @Test
    void listsOfALargeCacheTakeLittleOfIt() {
        int places = 175_854_491;
        int entries = LookupPace.STANDARD.listEntries(places, 64);
        assertThat(2L * Admission.ENTRY_BYTES * entries)
                .isBetween(64L * places / 33, 64L * places / 32);
        assertThat(LookupPace.STANDARD.listEntries(Integer.MAX_VALUE, 4096))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void listsOfASmallCacheHaveAllOfIt() {
        assertThat(LookupPace.STANDARD.listEntries(1 << 22, 32)).isEqualTo(1 << 22);
        assertThat(LookupPace.STANDARD.listEntries((1 << 22) + 1, 32)).isEqualTo(1 << 22);
        assertThat(LookupPace.STANDARD.listEntries(0, 32)).isZero();
    }
}
