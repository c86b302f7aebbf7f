package io.flinkgpu.api.search;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;

/**
 * Writes the similarity as a byte, the query's size as 2 bytes, the number of documents as 4, and of each its
 * id, what is common and its size: 8, 2 and 2 bytes. Stateless.
 */
@Internal
public final class SetMatchesSerializer extends FreshSerializer<SetMatches> {

    public static final SetMatchesSerializer INSTANCE = new SetMatchesSerializer();

    private static final long serialVersionUID = 1L;

    /** By the number that is written, which none may change. */
    private static final Similarity[] SIMILARITIES = Similarity.values();

    private SetMatchesSerializer() {}

    @Override
    public void serialize(SetMatches matches, DataOutputView target) throws IOException {
        target.writeByte(matches.similarity().ordinal());
        target.writeShort(matches.querySize());
        target.writeInt(matches.count());
        for (int i = 0; i < matches.count(); i++) {
            target.writeLong(matches.id(i));
            target.writeShort(matches.common(i));
            target.writeShort(matches.size(i));
        }
    }

    @Override
    public SetMatches deserialize(DataInputView source) throws IOException {
        int similarity = source.readUnsignedByte();
        int querySize = source.readUnsignedShort();
        int count = source.readInt();
        if (similarity >= SIMILARITIES.length || count < 0) {
            throw CountedBytes.corrupt(
                    "what was found for a query",
                    "similarity=" + similarity + ", documents=" + count,
                    null);
        }
        long[] ids = new long[count];
        int[] pairs = new int[count];
        for (int i = 0; i < count; i++) {
            ids[i] = source.readLong();
            int common = source.readUnsignedShort();
            pairs[i] = SetMatches.pair(common, source.readUnsignedShort());
        }
        return SetMatches.ofPairs(SIMILARITIES[similarity], querySize, ids, pairs);
    }

    @Override
    public TypeSerializerSnapshot<SetMatches> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. Public for Flink, which makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<SetMatches> {

        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
