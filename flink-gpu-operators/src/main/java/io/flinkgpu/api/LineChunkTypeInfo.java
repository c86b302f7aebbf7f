package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link LineChunk}: not a key, serialized without Kryo, never copied. */
public final class LineChunkTypeInfo extends TypeInformation<LineChunk> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineChunkTypeInfo INSTANCE = new LineChunkTypeInfo();

    private LineChunkTypeInfo() {}

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<LineChunk> getTypeClass() {
        return LineChunk.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<LineChunk> createSerializer(SerializerConfig config) {
        return LineChunkSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "LineChunk";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LineChunkTypeInfo;
    }

    @Override
    public int hashCode() {
        return LineChunkTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof LineChunkTypeInfo;
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
