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

/** Reads files as {@link LineChunk}s. One that is not there when it is opened fails the job or is skipped. */
abstract class ChunkFormat extends LineFormat<LineChunk> {

    private static final long serialVersionUID = 1L;

    private final FilePolicy policy;

    /** Null where nobody asked for reports. */
    private final transient FileReports reports;

    ChunkFormat(FilePolicy policy, FileReports reports) {
        this.policy = policy;
        this.reports = reports;
    }

    /**
     * @throws FileNotFoundException if the file is gone
     */
    abstract Reader<LineChunk> open(
            FileSourceSplit split, FileReports reports, OptionalLong resumeAt) throws IOException;

    @Override
    final Reader<LineChunk> reader(FileSourceSplit split, OptionalLong resumeAt)
            throws IOException {
        FileReports used = reports == null ? FileReports.uncounted() : reports;
        MissingFileException missing;
        try {
            return open(split, used, resumeAt);
        } catch (MissingFileException e) {
            missing = e;
        } catch (FileNotFoundException e) {
            missing = MissingFileException.gone(split.path().toString(), e);
        }
        used.missing(missing, policy);
        return new NoChunks();
    }

    @Override
    public final TypeInformation<LineChunk> getProducedType() {
        return LineChunkTypeInfo.INSTANCE;
    }
}
