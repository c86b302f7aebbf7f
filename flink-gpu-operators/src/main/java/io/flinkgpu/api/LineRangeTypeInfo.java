package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.lang.reflect.Type;
import java.util.Map;

/** Flink's type of {@link LineRange}: not a key, serialized without Kryo, never copied. */
@PublicEvolving
public final class LineRangeTypeInfo extends AtomicTypeInfo<LineRange> {

    private static final long serialVersionUID = 1L;

    /** The only instance needed. */
    public static final LineRangeTypeInfo INSTANCE = new LineRangeTypeInfo();

    private LineRangeTypeInfo() {
        super(LineRange.class, false);
    }

    @Override
    public TypeSerializer<LineRange> createSerializer(SerializerConfig config) {
        return LineRangeSerializer.INSTANCE;
    }

    /** Found by Flink through the annotation of {@link LineRange}. */
    public static final class Factory extends TypeInfoFactory<LineRange> {

        @Override
        public TypeInformation<LineRange> createTypeInfo(
                Type type, Map<String, TypeInformation<?>> genericParameters) {
            return INSTANCE;
        }
    }
}
