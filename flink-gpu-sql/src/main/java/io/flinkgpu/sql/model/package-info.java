/**
 * Models for {@code ML_PREDICT}: rules, tables of vectors with and without a network, sets.
 *
 * <p>Imported by: nothing; Flink finds its factories.
 *
 * <p>Owns: a backend and its thread for each subtask, from {@code open} to {@code close}; the task thread
 * only hands rows over.
 */
package io.flinkgpu.sql.model;
