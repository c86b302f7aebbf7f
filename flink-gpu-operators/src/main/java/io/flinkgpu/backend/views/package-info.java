/**
 * Redaction of records that are searched as more texts than themselves, and findings for an audit, on any backend: the
 * backend searches all texts, and the host finishes the records in which something was found.
 *
 * <p>Imported by: the backends, to compile redactions.
 *
 * <p>Owns: the rows of texts of a batch, until the batch is done; backend thread only.
 */
package io.flinkgpu.backend.views;
