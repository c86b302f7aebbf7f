/**
 * Rule sets that SQL knows by name, and the key of their hashes: immutable, serializable values.
 *
 * <p>Imported by: {@code functions}, {@code module} and {@code model}.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.sql.rules;
