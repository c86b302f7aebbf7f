/**
 * Rule sets that SQL knows by name, and what redacts one text by one of them.
 *
 * <p>Imported by: {@code functions}, {@code module} and {@code model}.
 *
 * <p>Owns: nothing, but for what a redactor has until it is closed.
 */
package io.flinkgpu.sql.rules;
