package io.flinkgpu.applications;

import io.flinkgpu.api.search.SearchMapper;
import io.flinkgpu.api.search.SearchResult;
import io.flinkgpu.api.search.SetMatches;

import java.nio.charset.StandardCharsets;

/**
 * Writes an answer as a line: {@code id:common:max} of each document with blanks between, the best first,
 * where max is the size of the larger set. A query's name comes before, with a tab after it.
 */
final class AnswerLine implements SearchMapper<SearchOperation, byte[]> {

    private static final long serialVersionUID = 1L;

    @Override
    public byte[] map(SearchResult<SearchOperation> result) {
        SetMatches matches = result.matches();
        StringBuilder line = new StringBuilder();
        if (result.query().name() != null) {
            line.append(result.query().name()).append('\t');
        }
        for (int i = 0; i < matches.count(); i++) {
            line.append(i == 0 ? "" : " ").append(matches.id(i));
            line.append(':').append(matches.common(i));
            line.append(':').append(Math.max(matches.querySize(), matches.size(i)));
        }
        return line.append('\n').toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
