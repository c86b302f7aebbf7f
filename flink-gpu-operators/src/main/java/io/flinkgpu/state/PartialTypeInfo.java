package io.flinkgpu.state;

import io.flinkgpu.api.AtomicTypeInfo;
import io.flinkgpu.api.ValueSpec;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;

/** The type of {@link Partial}s of some columns. */
@Internal
public final class PartialTypeInfo extends AtomicTypeInfo<Partial> {

    private static final long serialVersionUID = 1L;

    private final List<ValueSpec> specs;

    public PartialTypeInfo(List<ValueSpec> specs) {
        super(Partial.class, false, specs.toArray());
        this.specs = List.copyOf(specs);
    }

    @Override
    public TypeSerializer<Partial> createSerializer(SerializerConfig config) {
        return new PartialSerializer(specs);
    }
}
