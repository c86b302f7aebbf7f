package io.flinkgpu;

import io.flinkgpu.api.lookup.EmbeddingTable;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.operator.lookup.RebasePolicy;

import java.util.List;

/**
 * The tables of a lookup, and what is asked of them. Immutable.
 *
 * @param scoring null if there is none
 */
record LookupSettings(
        List<EmbeddingTable> tables,
        long hostBytes,
        long deviceBytes,
        RebasePolicy rebase,
        Scoring scoring) {

    private static final long DEFAULT_BYTES = 1L << 30;

    static final LookupSettings DEFAULT =
            new LookupSettings(List.of(), DEFAULT_BYTES, DEFAULT_BYTES, RebasePolicy.NEVER, null);

    LookupSettings withTables(List<EmbeddingTable> changed) {
        return new LookupSettings(List.copyOf(changed), hostBytes, deviceBytes, rebase, scoring);
    }

    LookupSettings withBytes(long host, long device) {
        return new LookupSettings(tables, host, device, rebase, scoring);
    }

    LookupSettings withRebase(RebasePolicy changed) {
        return new LookupSettings(tables, hostBytes, deviceBytes, changed, scoring);
    }

    LookupSettings withScoring(Scoring changed) {
        return new LookupSettings(tables, hostBytes, deviceBytes, rebase, changed);
    }
}
