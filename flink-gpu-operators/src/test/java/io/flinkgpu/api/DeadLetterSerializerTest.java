package io.flinkgpu.api;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.util.OutputTag;

import org.junit.jupiter.api.Test;

import java.util.Date;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Flink's contract suite for serializers, and how Flink finds this one.
 *
 * <p>Covers: DeadLetterSerializer.
 */
class DeadLetterSerializerTest extends SerializerTestBase<DeadLetter<Date>> {

    @Override
    protected TypeSerializer<DeadLetter<Date>> createSerializer() {
        return new DeadLetterTypeInfo<>(Types.GENERIC(Date.class))
                .createSerializer(new SerializerConfigImpl());
    }

    @Override
    protected int getLength() {
        return -1;
    }

    @Override
    protected Class<DeadLetter<Date>> getTypeClass() {
        return new DeadLetterTypeInfo<>(Types.GENERIC(Date.class)).getTypeClass();
    }

    @Override
    protected boolean allowNullInstances(TypeSerializer<DeadLetter<Date>> serializer) {
        return true;
    }

    // An array of a generic class cannot be made otherwise.
    @SuppressWarnings("unchecked")
    @Override
    protected DeadLetter<Date>[] getTestData() {
        return (DeadLetter<Date>[])
                new DeadLetter<?>[] {
                    new DeadLetter<>(new Date(0), ""),
                    new DeadLetter<>(new Date(7), "a reason: x=\u00e9")
                };
    }

    @Test
    void anOutputTagFindsIt() {
        OutputTag<DeadLetter<Reading>> tag = new OutputTag<>("bad") {};
        assertThat(tag.getTypeInfo())
                .isEqualTo(new DeadLetterTypeInfo<>(Types.POJO(Reading.class)));
        assertThat(tag.getTypeInfo().getGenericParameters().get("T"))
                .isInstanceOf(PojoTypeInfo.class);
    }

    /** A record of a user. */
    public static final class Reading {
        public String sensor;
        public double temperature;
    }
}
