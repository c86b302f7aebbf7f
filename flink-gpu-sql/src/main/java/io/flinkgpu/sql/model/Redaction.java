package io.flinkgpu.sql.model;

import io.flinkgpu.api.GpuOptions;
import io.flinkgpu.api.HashKey;
import io.flinkgpu.api.RuleSet;

import java.io.Serializable;

/**
 * By which rules texts are redacted, and where. Travels in the job graph.
 *
 * @param options of these, backend, batch policy, memory limit and hash key are used
 */
record Redaction(RuleSet rules, GpuOptions options) implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The key of hashes, read here; empty if no rule needs one. The caller's to fill with zeros. */
    byte[] loadKey() {
        return rules.needsHashKey()
                ? options.hashKey().map(HashKey::load).orElseThrow()
                : new byte[0];
    }
}
