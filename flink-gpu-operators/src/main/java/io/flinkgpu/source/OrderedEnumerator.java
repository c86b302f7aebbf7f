package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.connector.file.src.enumerate.NonSplittingRecursiveEnumerator;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Lists files and cuts them into splits, in an order that does not depend on the file system: given
 * paths as given, files of a directory by path, splits of a file by offset. Split ids sort in this
 * order. A compressed file is one split.
 */
final class OrderedEnumerator extends NonSplittingRecursiveEnumerator {

    private static final Comparator<FileSourceSplit> BY_PLACE =
            Comparator.comparing((FileSourceSplit split) -> split.path().toString())
                    .thenComparingLong(FileSourceSplit::offset);

    private final long splitBytes;
    private int splits;

    OrderedEnumerator(long splitBytes) {
        this.splitBytes = splitBytes;
    }

    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits)
            throws IOException {
        List<FileSourceSplit> ordered = new ArrayList<>();
        for (Path path : paths) {
            super.enumerateSplits(new Path[] {path}, minDesiredSplits).stream()
                    .sorted(BY_PLACE)
                    .map(this::withNextId)
                    .forEach(ordered::add);
        }
        return ordered;
    }

    @Override
    protected void convertToSourceSplits(
            FileStatus file, FileSystem fileSystem, List<FileSourceSplit> target) {
        boolean splittable =
                StandardDeCompressors.getDecompressorForFileName(file.getPath().getName()) == null;
        long step = splittable ? splitBytes : Math.max(1, file.getLen());
        for (long offset = 0; offset < file.getLen(); offset += step) {
            target.add(
                    new FileSourceSplit(
                            "",
                            file.getPath(),
                            offset,
                            Math.min(step, file.getLen() - offset),
                            file.getModificationTime(),
                            file.getLen()));
        }
    }

    private FileSourceSplit withNextId(FileSourceSplit split) {
        return new FileSourceSplit(
                String.format("%010d", splits++),
                split.path(),
                split.offset(),
                split.length(),
                split.fileModificationTime(),
                split.fileSize());
    }
}
