package io.flinkgpu.state;

import io.flinkgpu.api.ValueSpec;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

import java.util.List;
import java.util.Objects;

/** The type of {@link Partial}s of some columns. */
public final class PartialTypeInfo extends TypeInformation<Partial> {

    private static final long serialVersionUID = 1L;

    private final List<ValueSpec> specs;

    public PartialTypeInfo(List<ValueSpec> specs) {
        this.specs = List.copyOf(specs);
    }

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
    public Class<Partial> getTypeClass() {
        return Partial.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<Partial> createSerializer(SerializerConfig config) {
        return new PartialSerializer(specs);
    }

    @Override
    public String toString() {
        return "Partial" + specs;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartialTypeInfo that && specs.equals(that.specs);
    }

    @Override
    public int hashCode() {
        return Objects.hash(specs);
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof PartialTypeInfo;
    }
}
