package io.flinkgpu.sql.planner;

import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.ManagedMemoryUseCase;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeServiceAware;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalSerializers;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An operator of one node, run without a job. */
final class CalcHarness extends OneInputStreamOperatorTestHarness<RowData, RowData> {

    private final List<RowData.FieldGetter> getters = new ArrayList<>();

    CalcHarness(OneInputTransformation<?, ?> node, RowType input, RowType output, boolean reuse)
            throws Exception {
        this(node, input, output, reuse, new HashMapStateBackend(), null);
    }

    /**
     * @param state to go on from; null for none
     */
    @SuppressWarnings("unchecked") // A node of SQL is from rows to rows.
    CalcHarness(
            OneInputTransformation<?, ?> node,
            RowType input,
            RowType output,
            boolean reuse,
            StateBackend backend,
            OperatorSubtaskState state)
            throws Exception {
        super(
                new Factory(
                        (StreamOperatorFactory<RowData>)
                                InstantiationUtil.clone(node.getOperatorFactory())),
                (TypeSerializer<RowData>) (TypeSerializer<?>) InternalSerializers.create(input));
        for (int i = 0; i < output.getFieldCount(); i++) {
            getters.add(RowData.createFieldGetter(output.getTypeAt(i), i));
        }
        getExecutionConfig().enableObjectReuse();
        if (!reuse) {
            getExecutionConfig().disableObjectReuse();
        }
        setStateBackend(backend);
        config.setManagedMemoryFractionOperatorOfUseCase(ManagedMemoryUseCase.OPERATOR, 0.9);
        if (node.getStateKeySelector() != null) {
            config.setStatePartitioner(0, node.getStateKeySelector());
            config.setStateKeySerializer(
                    node.getStateKeyType().createSerializer(new SerializerConfigImpl()));
            config.serializeAllConfigs();
        }
        setup((TypeSerializer<RowData>) (TypeSerializer<?>) InternalSerializers.create(output));
        if (state != null) {
            initializeState(state);
        }
        open();
    }

    /** What came out, each row with its kind as text that shows each byte, and marks. */
    List<String> results() {
        List<String> results = new ArrayList<>();
        for (Object element : getOutput()) {
            results.add(
                    element instanceof StreamRecord<?> record
                            ? text((RowData) record.getValue())
                            : element.toString());
        }
        return results;
    }

    private String text(RowData row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < getters.size(); i++) {
            Object value = getters.get(i).getFieldOrNull(row);
            fields.add(
                    value instanceof StringData text
                            ? shown(text.toBytes())
                            : value instanceof byte[] bytes
                                    ? Arrays.toString(bytes)
                                    : String.valueOf(value));
        }
        return row.getRowKind() + fields.toString();
    }

    /** Of an unpaired surrogate its bytes, as Flink has it wherever it goes through bytes. */
    private static String shown(byte[] text) {
        return new String(text, StandardCharsets.UTF_8) + Arrays.toString(text);
    }

    @Override
    public void close() {
        try {
            super.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The harness asks for a type that factories of generated operators do not have. */
    private static final class Factory extends AbstractStreamOperatorFactory<RowData>
            implements OneInputStreamOperatorFactory<RowData, RowData> {

        private static final long serialVersionUID = 1L;

        private final StreamOperatorFactory<RowData> factory;

        Factory(StreamOperatorFactory<RowData> factory) {
            this.factory = factory;
        }

        @Override
        public <T extends StreamOperator<RowData>> T createStreamOperator(
                StreamOperatorParameters<RowData> parameters) {
            if (factory instanceof ProcessingTimeServiceAware aware) {
                aware.setProcessingTimeService(parameters.getProcessingTimeService());
            }
            return factory.createStreamOperator(parameters);
        }

        @Override
        @SuppressWarnings("rawtypes") // As declared by Flink.
        public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
            return factory.getStreamOperatorClass(classLoader);
        }
    }
}
