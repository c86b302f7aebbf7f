package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.ValueGetter;
import io.flinkgpu.api.lookup.Bag;
import io.flinkgpu.api.lookup.LookupRequest;
import io.flinkgpu.api.lookup.LookupValues;
import io.flinkgpu.api.lookup.Scoring;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.backend.plan.EmbeddingTablesPlan;
import io.flinkgpu.backend.plan.ScorePlan;
import io.flinkgpu.backend.plan.TransformedBatch;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.lookup.FoundValues;
import io.flinkgpu.operator.lookup.RequestRows;
import io.flinkgpu.operator.lookup.TableReader;
import io.flinkgpu.operator.lookup.TableRequest;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

import org.apache.arrow.memory.BufferAllocator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/** Looks ids up in tables, and scores what is found if there is a network. */
final class LookupModel
        implements RowModel<TableRequest<LookupRequest>, LookupValues, TransformedBatch> {

    private static final long serialVersionUID = 1L;

    private final List<ModelColumn> columns;
    private final EmbeddingTablesPlan tables;
    private final Scoring scoring;
    private final int outputs;
    private final boolean asNumbers;
    private final ValueGetter<LookupRequest, TableRequest<LookupRequest>> reader;

    /**
     * @param columns what is in each input
     * @param scoring of what is looked up; null if there is none
     * @param outputs how many columns there are
     * @param asNumbers whether each is a number, of those that the network gives; else each is all of a bag
     */
    LookupModel(
            List<ModelColumn> columns,
            EmbeddingTablesPlan tables,
            Scoring scoring,
            int outputs,
            boolean asNumbers) {
        this.columns = new ArrayList<>(columns);
        this.tables = tables;
        this.scoring = scoring;
        this.outputs = outputs;
        this.asNumbers = asNumbers;
        this.reader = new TableReader(tables.tables(), scoring).keptRequests(request -> request);
    }

    @Override
    public Plan<TransformedBatch> plan() {
        EmbeddingPlan lookup = new EmbeddingPlan(tables);
        return scoring == null ? lookup : new ScorePlan(lookup, scoring);
    }

    @Override
    public BatchInput<TableRequest<LookupRequest>> input(
            BufferAllocator allocator, BatchPolicy policy) {
        return new RequestRows(new EmbeddingPlan(tables).input(), allocator, policy).keptInput();
    }

    @Override
    public LookupValues answer(
            TransformedBatch result, int row, TableRequest<LookupRequest> request) {
        return new FoundValues(result).at(row);
    }

    /** Null if a number is. */
    @Override
    public TableRequest<LookupRequest> request(RowData inputs) {
        List<Bag> bags = new ArrayList<>();
        List<float[]> numbers = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            ModelColumn column = columns.get(i);
            if (column.isId()) {
                bags.add(Bag.of(column.table(), column.combiner(), ids(inputs, i, column)));
            } else {
                numbers.add(numbers(inputs, i, column));
            }
        }
        if (numbers.contains(null)) {
            return null;
        }
        return reader.get(LookupRequest.of(bags).withDense(joined(numbers)));
    }

    /** Those that are not null. */
    private static long[] ids(RowData inputs, int field, ModelColumn column) {
        if (inputs.isNullAt(field)) {
            return new long[0];
        }
        if (!column.isArray()) {
            return new long[] {inputs.getLong(field)};
        }
        ArrayData ids = inputs.getArray(field);
        return IntStream.range(0, ids.size())
                .filter(i -> !ids.isNullAt(i))
                .mapToLong(ids::getLong)
                .toArray();
    }

    private static float[] numbers(RowData inputs, int field, ModelColumn column) {
        if (inputs.isNullAt(field)) {
            return null;
        }
        if (!column.isArray()) {
            return new float[] {inputs.getFloat(field)};
        }
        ArrayData given = inputs.getArray(field);
        float[] numbers = new float[given.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (given.isNullAt(i)) {
                return null;
            }
            numbers[i] = given.getFloat(i);
        }
        return numbers;
    }

    private static float[] joined(List<float[]> parts) {
        float[] all = new float[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    @Override
    public Collection<RowData> rows(LookupValues values) {
        GenericRowData row = new GenericRowData(outputs);
        for (int i = 0; values != null && i < outputs; i++) {
            row.setField(
                    i,
                    asNumbers ? (Object) values.values()[i] : new GenericArrayData(values.bag(i)));
        }
        return List.of(row);
    }
}
