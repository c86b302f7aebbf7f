package io.flinkgpu.operator.lookup;

import io.flinkgpu.api.lookup.BaseFile;
import io.flinkgpu.api.lookup.ElementType;

/**
 * What state has of a table besides its changes.
 *
 * @param number of the table
 * @param base with its checksum; null if there is none
 * @param version of the base file
 */
record TableState(int number, ElementType type, int dimension, BaseFile base, long version) {}
