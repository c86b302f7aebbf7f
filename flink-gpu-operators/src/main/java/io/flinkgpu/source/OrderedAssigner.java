package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.assigners.FileSplitAssigner;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Gives splits out by id, so in the order that {@link OrderedEnumerator} listed them. */
final class OrderedAssigner implements FileSplitAssigner {

    private final TreeMap<String, FileSourceSplit> splits = new TreeMap<>();

    OrderedAssigner(Collection<FileSourceSplit> splits) {
        addSplits(splits);
    }

    @Override
    public Optional<FileSourceSplit> getNext(String hostname) {
        return Optional.ofNullable(splits.pollFirstEntry()).map(Map.Entry::getValue);
    }

    @Override
    public void addSplits(Collection<FileSourceSplit> newSplits) {
        newSplits.forEach(split -> splits.put(split.splitId(), split));
    }

    @Override
    public Collection<FileSourceSplit> remainingSplits() {
        return splits.values();
    }
}
