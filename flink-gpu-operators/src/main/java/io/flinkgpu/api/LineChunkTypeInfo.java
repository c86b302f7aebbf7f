package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link LineChunk}: not a key, serialized without Kryo, never copied. */
@PublicEvolving
public final class LineChunkTypeInfo extends AtomicTypeInfo<LineChunk> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineChunkTypeInfo INSTANCE = new LineChunkTypeInfo();

    private LineChunkTypeInfo() {
        super(LineChunk.class, false);
    }

    @Override
    public TypeSerializer<LineChunk> createSerializer(SerializerConfig config) {
        return LineChunkSerializer.INSTANCE;
    }

    /** Found by Flink through the annotation of {@link LineChunk}. */
    public static final class Factory extends TypeInfoFactory<LineChunk> {

        @Override
        public TypeInformation<LineChunk> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            return INSTANCE;
        }
    }
}
