package io.flinkgpu.api;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.EOFException;
import java.io.IOException;

/**
 * Writes a {@link LineRange} as its file name, int64 offset, length and file length, and its policy: a byte
 * of {@link #TERMINATES}, {@link #SKIPS_MISSING} and {@link #HAS_LIMIT}, and with the last of them an int32
 * limit of lines and the place of what becomes of longer ones. Without them it is what was written before
 * there were policies. Stateless; ranges are immutable, so {@code copy} gives the same object.
 */
@Internal
public final class LineRangeSerializer extends FreshSerializer<LineRange> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineRangeSerializer INSTANCE = new LineRangeSerializer();

    private static final int TERMINATES = 1;
    private static final int SKIPS_MISSING = 2;
    private static final int HAS_LIMIT = 4;
    private static final LongLine[] LONG_LINES = LongLine.values();

    @Override
    public LineRange createInstance() {
        return new LineRange("", 0, 1, 1);
    }

    @Override
    public void serialize(LineRange range, DataOutputView target) throws IOException {
        StringSerializer.INSTANCE.serialize(range.file(), target);
        target.writeLong(range.offsetBytes());
        target.writeLong(range.lengthBytes());
        target.writeLong(range.fileBytes());
        write(range.policy(), target);
    }

    @Override
    public LineRange deserialize(DataInputView source) throws IOException {
        try {
            return new LineRange(
                    StringSerializer.INSTANCE.deserialize(source),
                    source.readLong(),
                    source.readLong(),
                    source.readLong(),
                    readPolicy(source));
        } catch (EOFException | RuntimeException e) {
            throw CountedBytes.corrupt("a range", "not one", e);
        }
    }

    private static void write(FilePolicy policy, DataOutputView target) throws IOException {
        boolean hasLimit =
                policy.maxLineBytes() != FilePolicy.DEFAULT_MAX_LINE_BYTES
                        || policy.longLine() != LongLine.FAIL;
        target.writeByte(
                (policy.terminatesLastLine() ? TERMINATES : 0)
                        | (policy.missingFile() == MissingFile.SKIP ? SKIPS_MISSING : 0)
                        | (hasLimit ? HAS_LIMIT : 0));
        if (hasLimit) {
            target.writeInt(policy.maxLineBytes());
            target.writeByte(policy.longLine().ordinal());
        }
    }

    private static FilePolicy readPolicy(DataInputView source) throws IOException {
        int flags = source.readByte();
        if ((flags & ~(TERMINATES | SKIPS_MISSING | HAS_LIMIT)) != 0) {
            throw Errors.io(
                    "a range of a file is of a version that this release does not know: flags=%s;"
                            + " restore the job with the release that wrote it, or a later one",
                    flags);
        }
        FilePolicy policy =
                FilePolicy.DEFAULT
                        .withLastLinesTerminated((flags & TERMINATES) != 0)
                        .withMissingFile(
                                (flags & SKIPS_MISSING) != 0 ? MissingFile.SKIP : MissingFile.FAIL);
        if ((flags & HAS_LIMIT) == 0) {
            return policy;
        }
        return policy.withMaxLineBytes(source.readInt(), LONG_LINES[source.readByte()]);
    }

    @Override
    public TypeSerializerSnapshot<LineRange> snapshotConfiguration() {
        return new Snapshot();
    }

    /** What a savepoint remembers of this serializer: only its class. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LineRange> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
