package io.flinkgpu.testkit;

import io.flinkgpu.api.search.SetQuery;

/**
 * A query and how many of the changes it sees.
 *
 * @param version the number of the last of them
 */
public record VersionedQuery(SetQuery query, long version) {}
