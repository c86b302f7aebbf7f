/**
 * What the user asks for, and what is given back: immutable, serializable values.
 *
 * <p>Imported by: every package and users' jobs.
 *
 * <p>Owns: nothing, but for {@code LentLines}, whose memory belongs to its lender until
 * they are closed.
 */
package io.flinkgpu.api;
