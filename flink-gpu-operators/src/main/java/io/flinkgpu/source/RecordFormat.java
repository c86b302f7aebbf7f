package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineChunkTypeInfo;
import io.flinkgpu.files.FileReports;
import io.flinkgpu.files.MissingFileException;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.file.src.FileSourceSplit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.OptionalLong;

/** Reads the records of a file, of one or more lines each, as {@link LineChunk}s. A file is one split. */
final class RecordFormat extends LineFormat<LineChunk> {

    private static final long serialVersionUID = 1L;

    private final RecordReader.Options options;

    /** Null where nobody asked for reports. */
    private final transient FileReports reports;

    RecordFormat(RecordReader.Options options) {
        this(options, null);
    }

    private RecordFormat(RecordReader.Options options, FileReports reports) {
        this.options = options;
        this.reports = reports;
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
    Reader<LineChunk> reader(FileSourceSplit split, OptionalLong resumeAt) throws IOException {
        FileReports used = reports == null ? FileReports.uncounted() : reports;
        FilePolicy policy = options.policy();
        MissingFileException missing;
        try {
            return new RecordReader(split, options, used, resumeAt);
        } catch (MissingFileException e) {
            missing = e;
        } catch (FileNotFoundException e) {
            missing = MissingFileException.gone(split.path().toString(), e);
        }
        used.missing(missing, policy);
        return new NoChunks();
    }

    @Override
    public TypeInformation<LineChunk> getProducedType() {
        return LineChunkTypeInfo.INSTANCE;
    }
}
