/**
 * Redaction of a Kafka topic, with window statistics, exactly once. A module of its own, so that no other
 * example has Kafka on its class path.
 */
package io.flinkgpu.applications.kafka;
