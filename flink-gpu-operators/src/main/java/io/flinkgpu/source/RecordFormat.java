package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.files.FileReports;

import org.apache.flink.connector.file.src.FileSourceSplit;

import java.io.IOException;
import java.util.OptionalLong;

/** Reads the records of a file, of one or more lines each, as {@link LineChunk}s. A file is one split. */
final class RecordFormat extends ChunkFormat {

    private static final long serialVersionUID = 1L;

    private final RecordReader.Options options;

    RecordFormat(RecordReader.Options options) {
        this(options, null);
    }

    private RecordFormat(RecordReader.Options options, FileReports reports) {
        super(options.policy(), reports);
        this.options = options;
    }

    @Override
    LineFormat<LineChunk> reporting(FileReports to) {
        return new RecordFormat(options, to);
    }

    @Override
    RecordStart recordStart() {
        return options.start();
    }

    @Override
    Reader<LineChunk> open(FileSourceSplit split, FileReports reports, OptionalLong resumeAt)
            throws IOException {
        return new RecordReader(split, options, reports, resumeAt);
    }
}
