/**
 * Runs the steps of a program one after another on any backend; redactions and hashes between
 * passes run on columns of the host.
 *
 * <p>Imported by: the backends, to compile programs of several steps.
 *
 * <p>Owns: the columns between two steps, until the batch is done; backend thread only.
 */
package io.flinkgpu.backend.steps;
