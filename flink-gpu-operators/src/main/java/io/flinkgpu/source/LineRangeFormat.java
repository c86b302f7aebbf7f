package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;
import io.flinkgpu.files.FileReports;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.util.MutableRecordAndPosition;
import org.apache.flink.connector.file.src.util.RecordAndPosition;

import java.io.IOException;
import java.util.OptionalLong;

/** Cuts splits into ranges of equal size, without reading the file. */
final class LineRangeFormat extends LineFormat<LineRange> {

    private static final long serialVersionUID = 1L;

    private final int rangeBytes;
    private final FilePolicy policy;

    LineRangeFormat(int rangeBytes, FilePolicy policy) {
        // So a line that is too long is the last one of its range.
        this.rangeBytes = Math.min(rangeBytes, policy.maxLineBytes());
        this.policy = policy;
    }

    /** What reads the ranges reports what it finds. */
    @Override
    LineFormat<LineRange> reporting(FileReports reports) {
        return this;
    }

    @Override
    Reader<LineRange> reader(FileSourceSplit split, OptionalLong resumeAt) throws IOException {
        if (Compressions.isCompressed(split.path())) {
            throw Errors.io(
                    "a compressed file cannot be read in ranges: file=%s; read it with chunks(),"
                            + " or decompress it first",
                    split.path());
        }
        return new RangeReader(split, resumeAt.orElse(split.offset()));
    }

    @Override
    public TypeInformation<LineRange> getProducedType() {
        return LineRangeTypeInfo.INSTANCE;
    }

    /** All ranges of a split are one batch. */
    private final class RangeReader implements Reader<LineRange>, RecordIterator<LineRange> {

        private final String file;
        private final long end;
        private final long fileBytes;
        private final MutableRecordAndPosition<LineRange> result = new MutableRecordAndPosition<>();
        private long position;
        private boolean given;

        RangeReader(FileSourceSplit split, long position) {
            this.file = split.path().toString();
            this.end = split.offset() + split.length();
            this.fileBytes = split.fileSize();
            this.position = position;
        }

        @Override
        public RecordIterator<LineRange> readBatch() {
            if (given) {
                return null;
            }
            given = true;
            return this;
        }

        @Override
        public RecordAndPosition<LineRange> next() {
            if (position >= end) {
                return null;
            }
            long length = Math.min(rangeBytes, end - position);
            LineRange range = new LineRange(file, position, length, fileBytes, policy);
            position += length;
            result.set(range, position, 0);
            return result;
        }

        @Override
        public void releaseBatch() {}

        @Override
        public void close() {}
    }
}
