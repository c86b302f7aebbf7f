/**
 * Scripts of SQL: their statements, and how those would run, in batches or by Flink's own operators.
 *
 * <p>Imported by: nothing; {@link io.flinkgpu.sql.script.SqlQualify} is a program.
 *
 * <p>Owns: nothing.
 */
package io.flinkgpu.sql.script;
