package io.flinkgpu.source;

import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists files in an order that does not depend on the file system: inputs as given, files of a
 * directory by path. Each file is one split, for {@link SplitQueue} to cut.
 *
 * <p>Empty files are not listed, so that one which is filled later is seen then; nor are pipes and
 * devices, which have no length.
 */
final class FileLister implements FileEnumerator, Serializable {

    private static final long serialVersionUID = 1L;

    private final List<FileInput> inputs;
    private final boolean emptyIsFine;
    private final boolean followsLinks;

    /** What was said of links; null until the first listing. */
    private transient LinkWarnings warnings;

    private FileLister(List<FileInput> inputs, boolean emptyIsFine, boolean followsLinks) {
        this.inputs = List.copyOf(inputs);
        this.emptyIsFine = emptyIsFine;
        this.followsLinks = followsLinks;
        if (this.inputs.isEmpty()) {
            throw new IllegalArgumentException("name a file, a directory or a glob: inputs=[]");
        }
    }

    /** Lists inputs, of which a glob has to match a file, and follows no links. */
    static FileLister of(List<FileInput> inputs) {
        return new FileLister(inputs, false, false);
    }

    /** Says whether a glob may match no file. */
    FileLister emptyIsFine(boolean fine) {
        return new FileLister(inputs, fine, followsLinks);
    }

    /** Says whether links below a directory are followed, if they lead to a place below it. */
    FileLister followsLinks(boolean follows) {
        return new FileLister(inputs, emptyIsFine, follows);
    }

    /** The folders that it lists, for Flink. */
    Path[] paths() {
        return inputs.stream().map(FileInput::base).toArray(Path[]::new);
    }

    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits)
            throws IOException {
        List<FileSourceSplit> splits = new ArrayList<>();
        long listedMillis = System.currentTimeMillis();
        for (FileStatus file : files()) {
            splits.add(
                    new FileSourceSplit(
                            SplitQueue.fileId(listedMillis, splits.size()),
                            file.getPath(),
                            0,
                            file.getLen(),
                            file.getModificationTime(),
                            file.getLen()));
        }
        return splits;
    }

    /** The files that are not empty, each once. */
    List<FileStatus> files() throws IOException {
        if (warnings == null) {
            warnings = new LinkWarnings();
        }
        Map<String, FileListing.Listed> files = new LinkedHashMap<>();
        for (FileInput input : inputs) {
            FileListing listing = new FileListing(input, followsLinks, warnings);
            for (FileListing.Listed file : listing.list(emptyIsFine)) {
                // The name of the file itself comes before that of a link to it, which may go.
                files.merge(
                        file.identity(),
                        file,
                        (first, next) -> first.byLink() && !next.byLink() ? next : first);
            }
        }
        return files.values().stream()
                .map(FileListing.Listed::file)
                .filter(file -> file.getLen() > 0)
                .toList();
    }
}
