package io.flinkgpu.sql.model;

import io.flinkgpu.api.BatchPolicy;
import io.flinkgpu.api.search.SetMatches;
import io.flinkgpu.api.search.SetQuery;
import io.flinkgpu.backend.CompiledProgram;
import io.flinkgpu.backend.Plan;
import io.flinkgpu.backend.plan.SearchPlan;
import io.flinkgpu.backend.plan.SearchedBatch;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.ColumnBuilder;
import io.flinkgpu.operator.BatchInput;
import io.flinkgpu.operator.search.ChangeRows;
import io.flinkgpu.operator.search.DocumentChange;
import io.flinkgpu.operator.search.NumberedQuery;
import io.flinkgpu.operator.search.QueryRows;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;

import org.apache.arrow.memory.BufferAllocator;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Searches the documents of a file for sets: a row for each that is found, the best first.
 *
 * @param search what is done with each batch
 * @param documents the file
 * @param k how many at most
 * @param minScore the least score of each
 * @param withZero whether documents with nothing in common are found
 * @param outputs how many of id, score, number of common elements, and size there are
 */
record SearchModel(
        SearchPlan search, String documents, int k, double minScore, boolean withZero, int outputs)
        implements RowModel<SetQuery, SetMatches, SearchedBatch> {

    private static final long serialVersionUID = 1L;

    /** What a query sees that sees all changes: a document that is there dies at the next number. */
    private static final long ALL_CHANGES = Long.MAX_VALUE - 1;

    /** Of these columns a model has the first. */
    static final int MAX_OUTPUTS = 4;

    @Override
    public Plan<SearchedBatch> plan() {
        return search;
    }

    @Override
    public void load(
            CompiledProgram<SearchedBatch> program, BufferAllocator allocator, BatchPolicy policy)
            throws Exception {
        BatchInput<DocumentChange> input = ChangeRows.input(search.corpus(), allocator, policy);
        try (ColumnBuilder builder = input.builder()) {
            SetFile.read(
                    Path.of(documents),
                    document -> {
                        DocumentChange change = DocumentChange.of(document);
                        if (!input.appender().test(change)) {
                            apply(builder, program);
                            // An empty batch takes any document.
                            input.appender().test(change);
                        }
                    });
            if (builder.rows() > 0) {
                apply(builder, program);
            }
        }
    }

    private static void apply(ColumnBuilder builder, CompiledProgram<SearchedBatch> program)
            throws Exception {
        try (ColumnBatch batch = builder.build()) {
            program.residents().get(0).apply(batch);
        }
    }

    @Override
    public BatchInput<SetQuery> input(BufferAllocator allocator, BatchPolicy policy) {
        BatchInput<NumberedQuery<Void>> input = new QueryRows(search, allocator, policy).input();
        return new BatchInput<>(
                input.builder(),
                query ->
                        input.appender().test(new NumberedQuery<>(0, 0, null, query, ALL_CHANGES)));
    }

    @Override
    public SetMatches answer(SearchedBatch result, int row, SetQuery query) {
        return result.matches(row, search.similarity(), query.elements().length);
    }

    @Override
    public SetQuery request(RowData inputs) {
        if (inputs.isNullAt(0)) {
            return null;
        }
        ArrayData set = inputs.getArray(0);
        long[] elements =
                IntStream.range(0, set.size())
                        .filter(i -> !set.isNullAt(i))
                        .mapToLong(set::getLong)
                        .toArray();
        return SetQuery.ofUnsigned(k, elements).withMinScore(minScore).withZero(withZero);
    }

    @Override
    public Collection<RowData> rows(SetMatches matches) {
        List<RowData> rows = new ArrayList<>();
        for (int i = 0; matches != null && i < matches.count(); i++) {
            Object[] values = {matches.id(i), matches.score(i), matches.common(i), matches.size(i)};
            GenericRowData row = new GenericRowData(outputs);
            for (int output = 0; output < outputs; output++) {
                row.setField(output, values[output]);
            }
            rows.add(row);
        }
        return rows;
    }
}
