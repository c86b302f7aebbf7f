package io.flinkgpu.api.lookup;

import io.flinkgpu.api.CountedBytes;
import io.flinkgpu.api.FreshSerializer;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes the number of bytes of the values, these, then the same of the ends of bags. Stateless. */
@Internal
public final class LookupValuesSerializer extends FreshSerializer<LookupValues> {

    public static final LookupValuesSerializer INSTANCE = new LookupValuesSerializer();

    private static final long serialVersionUID = 1L;

    private LookupValuesSerializer() {}

    @Override
    public void serialize(LookupValues found, DataOutputView target) throws IOException {
        float[] values = found.values();
        ByteBuffer bytes = ByteBuffer.allocate(Math.multiplyExact(Float.BYTES, values.length));
        bytes.asFloatBuffer().put(values);
        target.writeInt(bytes.capacity());
        target.write(bytes.array());
        target.writeInt(Integer.BYTES * found.bags());
        for (int bag = 0; bag < found.bags(); bag++) {
            target.writeInt(found.end(bag));
        }
    }

    @Override
    public LookupValues deserialize(DataInputView source) throws IOException {
        byte[] valueBytes = CountedBytes.read("values of vectors", source);
        byte[] endBytes = CountedBytes.read("ends of bags", source);
        float[] values = new float[valueBytes.length / Float.BYTES];
        ByteBuffer.wrap(valueBytes).asFloatBuffer().get(values);
        int[] ends = new int[endBytes.length / Integer.BYTES];
        ByteBuffer.wrap(endBytes).asIntBuffer().get(ends);
        return new LookupValues(values, ends);
    }

    @Override
    public TypeSerializerSnapshot<LookupValues> snapshotConfiguration() {
        return new Snapshot();
    }

    /** There is one format. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<LookupValues> {

        /** For Flink, which makes it by its name. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
