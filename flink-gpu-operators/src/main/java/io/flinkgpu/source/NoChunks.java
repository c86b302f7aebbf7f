package io.flinkgpu.source;

import io.flinkgpu.api.LineChunk;

import org.apache.flink.connector.file.src.reader.BulkFormat;

/** The reader of a file that is skipped. */
final class NoChunks implements BulkFormat.Reader<LineChunk> {

    @Override
    public BulkFormat.RecordIterator<LineChunk> readBatch() {
        return null;
    }

    @Override
    public void close() {}
}
