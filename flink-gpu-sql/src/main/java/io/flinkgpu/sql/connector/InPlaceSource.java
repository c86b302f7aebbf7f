package io.flinkgpu.sql.connector;

import io.flinkgpu.api.Lines;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;

import java.util.Optional;

/** A source that can give out each row as a view of what it reads, instead of as an object of its own. */
@Internal
public interface InPlaceSource extends ScanTableSource {

    /**
     * The same source with such rows: each is valid until the operator that it was given to returns.
     *
     * @param type of the rows, which copies none where operators are chained
     * @return a copy, or nothing if this source's rows cannot be views
     */
    Optional<InPlaceSource> inPlace(TypeInformation<RowData> type);

    /** How lines are read, for what reads them in the place of this source's rows; nothing if it leaves some out. */
    Optional<ReadLines> lines();

    /**
     * The same source, whose lines an operator reads, which makes the watermarks, too: those of the source are not made.
     *
     * @param operators what reads them
     * @param type of the rows that it gives
     * @return a copy
     */
    ScanTableSource readBy(
            OneInputStreamOperatorFactory<Lines, RowData> operators, TypeInformation<RowData> type);
}
