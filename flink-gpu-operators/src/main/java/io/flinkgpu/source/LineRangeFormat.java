package io.flinkgpu.source;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.LineRangeTypeInfo;

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
    private final boolean terminateLastLine;

    LineRangeFormat(int rangeBytes, boolean terminateLastLine) {
        this.rangeBytes = rangeBytes;
        this.terminateLastLine = terminateLastLine;
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
            LineRange range = new LineRange(file, position, length, fileBytes, terminateLastLine);
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
