/**
 * Functions over one text, for any place where SQL has an expression.
 *
 * <p>Imported by: {@code module}.
 *
 * <p>Owns: compiled rules and the hash key, from {@code open} on; task thread only.
 */
package io.flinkgpu.sql.functions;
