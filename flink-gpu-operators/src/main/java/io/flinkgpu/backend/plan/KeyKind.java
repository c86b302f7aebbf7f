package io.flinkgpu.backend.plan;

/** What the key column of an aggregation holds. Neither has nulls. */
public enum KeyKind {
    /** Int32: numbers that the caller gave to its keys, from 0. */
    ID,
    /** VarBinary: the keys' bytes; keys are the same if all their bytes are. */
    BYTES
}
