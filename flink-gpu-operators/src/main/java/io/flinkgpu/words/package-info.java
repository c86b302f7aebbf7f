/**
 * What a group keeps of its values: 64-bit words, each with a rule for how two become one.
 *
 * <p>Imported by: the plans and backends of aggregations, and the state of windows.
 *
 * <p>Owns: nothing; immutable values, any thread.
 */
package io.flinkgpu.words;
